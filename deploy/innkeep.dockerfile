# Innkeep as an image, from the root of the repository:
#
#   docker build -f deploy/innkeep.dockerfile -t innkeep .
#   docker run --init -p 3000:3000 -v innkeep:/var/lib/innkeep --stop-timeout 15 innkeep
#
# Settings: -e BASE_URL=https://api.example.com. A first tenant, in the running container:
#   docker exec CONTAINER npm run --silent admin -- tenant create --name 'My hotels'

FROM node:22-bookworm-slim
RUN apt-get update \
  && apt-get install -y --no-install-recommends ca-certificates redis-server \
  && rm -rf /var/lib/apt/lists/*

WORKDIR /opt/innkeep
COPY package.json package-lock.json ./
# The packages of a service; npm that may run no scripts leaves Bun to be unpacked.
RUN npm ci --omit=dev --no-audit --no-fund \
  && (node_modules/.bin/bun --version || node node_modules/bun/install.js)
COPY . .

RUN install -d -o node -g node -m 0700 /var/lib/innkeep
ENV NODE_ENV=production
ENV DEMO=0
ENV LOG_FORMAT=json
ENV DATA_DIR=/var/lib/innkeep
VOLUME /var/lib/innkeep
EXPOSE 3000
USER node
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["node", "scripts/await-ready.mjs", "--once"]
CMD ["npm", "start"]
