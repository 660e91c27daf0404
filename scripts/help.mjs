/** What the commands do, in words that need nothing installed. */

/** Every command of `package.json`, with one line each. */
export const USAGE = `Usage: npm start, npm test, or npm run <command> [-- arguments]

  start            run everything: Redis, engine, worker, api (demo data unless DEMO=0)
  test             run all tests, or the stages that are named: npm test -- unit
  bench            measure how fast it is; tables and charts (--help for its options)
  check            formatter, linter and type checker
  backup           back up the installation, running or not (--help)
  restore          restore a back-up to an empty directory (--help for its options)
  admin            doctor, tenants, operators, keys, records (--help for its commands)
  events           follow what happens (--help for its commands)
  dead-letters     see what was not delivered, and why; deliver it once more (--help)
  feeds            build, check and compare what partners fetch (--help for its commands)
  webhooks         receive webhooks here and verify them (--help for its commands)
  requests         find a refused request by its trace id, and what to do about it (--help)
  mint-delegation  print a delegation token of the demo issuer (--help for its options)
  help             this text

--help after a command: npm start -- --help, npm run admin -- --help. The first run installs what is
missing. Settings come from the environment: src/docs/guides/configuration.md has all of them.
`;

/** Help of the commands that have none of their own. */
export const HELP = new Map([
  [
    "start",
    `Usage: npm start

Runs everything until Ctrl-C or SIGTERM: a private Redis, the engine, the worker and the api
processes, with demo data unless DEMO=0. What is missing is installed first.

Settings, from the environment (all of them: src/docs/guides/configuration.md):
  PORT             3000      where the api listens
  BASE_URL                   the public address, http://localhost:PORT unless set
  DATA_DIR         ./data    everything that lasts
  DEMO             1         0 seeds no demo data
  REDIS_URL                  a Redis of your own; without it a private one is run in DATA_DIR
  START_TIMEOUT_S  60        how long a start waits for REDIS_URL
  LOG_FORMAT                 text or json; text on a terminal unless set
  LOG_LEVEL                  debug, info, warn or error; warn with text, info with json unless set

Exit codes:
  0   stopped as told
  1   failed: starting again is right
  76  fenced: another engine has taken over
  78  start refused: stderr says why and what to do, and no restart cures it

npm run admin -- doctor looks at everything that a start needs.
`,
  ],
  [
    "test",
    `Usage: npm test [-- stage …]

Runs every check of the project stage by stage, with one closing line; exits with 1 when one failed.
Without a stage all run, in about a quarter of an hour.

  types    the type checker
  style    formatter and linter
  unit     each module by itself
  sim      random histories of bookings against a model
  power    power cuts at every write
  mutants  seeded faults that the tests must see
  int      real processes over HTTP
  crash    the same, killed at random
`,
  ],
  [
    "check",
    `Usage: npm run check

Runs the formatter, the linter and the type checker; exits with 1 when one has something to say.
`,
  ],
]);
