/** Help texts that need no installed packages. */

/** Every command of `package.json`. */
export const USAGE = `Usage: npm start, npm test, or npm run <command> [-- arguments]

  start            run everything: Redis, engine, worker, api (demo data unless DEMO=0)
  test             run all tests, or some stages: npm test -- unit
  bench            run the benchmarks
  scenarios        produce every error over HTTP, and follow its way out
  drills           fail two machines over PostgreSQL in every way, and time it
  check            run formatter, linter and type checker
  backup           back up the installation, running or not
  restore          restore a back-up to an empty directory
  admin            doctor, tenants, operators, keys, records
  console          print a link that signs in to the operator console
  events           print events as they happen
  dead-letters     inspect and replay undelivered webhook events
  ledger           export, verify and explain the money of the journal
  feeds            build, check and compare documents for partners
  webhooks         receive and verify webhooks, for development
  requests         explain a refused request by its trace id
  mint-delegation  print a delegation token of the demo issuer
  help             this text

Help of a command: npm run <command> -- --help. The first run installs missing packages. Settings
are environment variables: see src/publish/docs/guides/configuration.md.
`;

/** Help of the commands whose programs have none. */
export const HELP = new Map([
  [
    "start",
    `Usage: npm start

Runs everything until Ctrl-C or SIGTERM: a private Redis, the engine, the worker and the api
processes, with demo data unless DEMO=0. Installs missing packages first.

Environment variables and defaults (complete list: src/publish/docs/guides/configuration.md):
  PORT             3000      port of the api
  BASE_URL                   public address (http://localhost:PORT)
  DATA_DIR         ./data    directory of all data
  DEMO             1         0: no demo data
  REDIS_URL                  your own Redis (default: a private one in DATA_DIR)
  START_TIMEOUT_S  60        seconds to wait for REDIS_URL
  LOG_FORMAT                 text or json (text on a terminal, else json)
  LOG_LEVEL                  debug, info, warn or error (warn with text, info with json)

Exit codes:
  0   stopped
  1   failed; restart it
  76  fenced: another engine has taken over
  78  start refused; stderr has the reason and the remedy, a restart does not help

npm run admin -- doctor checks everything that a start needs.
`,
  ],
  [
    "test",
    `Usage: npm test [-- stage | file …]

Runs all stages (about a quarter of an hour), or the given stages and test files. Exits with 1 when
one fails.

  types    the type checker
  style    formatter and linter
  unit     unit tests
  sim      random histories of bookings against a model
  power    power cuts at every write
  mutants  seeded faults that tests must detect
  int      real processes over HTTP
  crash    the same, killed at random
`,
  ],
  [
    "scenarios",
    `Usage: npm run scenarios [-- options]

Starts a private service, produces every error code that a call can be refused with over HTTP, and
follows the first next action of each refusal. After one that only reads, or a retry, the refused
call is sent again without its cause. Takes half a minute.

  --code CODE  only this code; may be repeated
  --json       print one JSON document, with all that each refusal offers
  --table      print the table of the guide Simulating errors

Exit codes: 0 all were produced and lead on, 1 some were not (named on stderr), 2 usage.
`,
  ],
  [
    "drills",
    `Usage: npm run drills [-- options]

Starts two machines over three nodes of PostgreSQL and one Redis, all private and on this host, lets
clients book, and fails a part at a time: engines, lines, nodes, Redis, worker, api. Prints the
failure matrix with the time until a hold is acknowledged again, and what was lost. After each drill
every acknowledged write is asked for again, and journal, money and both copies are compared. A
control takes a protection away: its loss must be seen. Takes about 45 minutes; progress goes to
stderr. Needs PostgreSQL (Debian: apt install postgresql); standbys are promoted by the program, so
the time of a tool such as pg_auto_failover is not in the figures.

  --only LIST  names of drills, separated by commas (default all)
  --rounds N   failures of each kind (default 10)
  --seed N     of the clients (default random, printed)
  --list       every drill and its failure

Exit codes: 0 all held, though perhaps late; 1 something did not, or a write was lost; 2 usage.
`,
  ],
  [
    "check",
    `Usage: npm run check

Runs the formatter, the linter and the type checker. Exits with 1 when one reports a problem.
`,
  ],
]);
