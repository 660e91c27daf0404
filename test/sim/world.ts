/**
 * One seeded run: clients, a transport that reorders, delays, duplicates and loses, a payment
 * provider, a clock that jumps, an engine that dies at named points, a disk that fills up, another
 * engine that takes over at named points, and an old one that wakes long after that. The model
 * follows every group.
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "../../engine/core/commands.ts";
import { Damage, type DamageName } from "../../engine/core/damage.ts";
import type { Payment, Refund } from "../../engine/core/records.ts";
import { pageStart } from "../../engine/core/state/nights.ts";
import { Fenced } from "../../engine/log/care/damage.ts";
import { Replica } from "../../engine/log/replica.ts";
import { stateHash, writeSnapshot } from "../../engine/log/snapshot.ts";
import { type TimeLine, timeOn } from "../../engine/log/time-line.ts";
import type { Group, Reply } from "../../engine/writer/group.ts";
import { Metas } from "./callers.ts";
import { check, same } from "./check.ts";
import { Clients } from "./clients.ts";
import { Model, type Sent } from "./model.ts";
import { IncidentChecks, sameIncidents } from "./model-incidents.ts";
import { type Message, Provider } from "./provider.ts";
import { Random } from "./random.ts";
import { Crash, Shard, SimTime, type Step } from "./shard.ts";
import { CellChecks, checkDamage, checkDeeply, checkMoney, checkPeople } from "./state-checks.ts";
import { Transport } from "./transport.ts";

const START_MS = Date.UTC(2026, 8, 1, 9);
const DAY_MS = 86_400_000;
const GROUP_MAX = 8;
/** How often the engine steers its clock, and how long a wait is told so exactly. */
const STEER_EVERY_MS = 250;
const STEERED_MAX = 200;

type Fault =
  | "none"
  | "crash before commit"
  | "crash after commit"
  | "crash idle"
  | "commit lost"
  | "disk full"
  | "zombie"
  | "fenced between groups"
  | "fenced before commit"
  | "fenced on the way"
  | "fenced on the way back";

const FAULTS: Readonly<Record<Fault, number>> = {
  none: 928,
  "crash before commit": 11,
  "crash after commit": 11,
  "crash idle": 5,
  "commit lost": 11,
  "disk full": 11,
  zombie: 7,
  "fenced between groups": 3,
  "fenced before commit": 5,
  "fenced on the way": 4,
  "fenced on the way back": 4,
};

export class World {
  /** How often each thing happened. */
  readonly counts = new Map<string, number>();
  readonly #random: Random;
  readonly #folder: string;
  readonly #path: string;
  readonly #time: SimTime;
  readonly #model: Model;
  readonly #clients: Clients;
  readonly #provider: Provider;
  readonly #transport: Transport;
  readonly #cells = new CellChecks();
  readonly #incidents = new IncidentChecks();
  readonly #replica: Replica;
  /** Engines that are gone for the world but still have the file open. */
  readonly #ghosts: Shard[] = [];
  #shard: Shard;
  /** Has the epoch, while the engine before it is in its last group. */
  #successor: Shard | null = null;
  #sent: Command[] = [];
  #inFlight = new Map<unknown, Sent>();
  #fault: Fault = "none";
  #stamp = 0;
  /** What the newest engine has published. */
  #line: TimeLine = { monotonicMs: 0, engineMs: 0, slewMs: 0 };
  #steps = 0;

  constructor(seed: number, folder: string) {
    this.#random = new Random(seed);
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    this.#path = join(folder, "shard.db");
    // Half of the runs cross the boundary of a page of nights, where old nights are forgotten.
    const startMs = START_MS + (seed % 2) * 40 * DAY_MS;
    this.#time = new SimTime(startMs);
    this.#model = new Model((note) => this.#count(note));
    const metas = new Metas(this.#random);
    this.#clients = new Clients(this.#random, this.#model.ledger, metas);
    this.#provider = new Provider(this.#random, metas.unique);
    this.#transport = new Transport(this.#random);
    this.#shard = this.#open(false);
    this.#stamp = this.#shard.clock.now();
    this.#replica = new Replica(this.#path);
  }

  /** Runs until that many commands were sent, then lets everything come to rest. */
  run(commands: number): void {
    // The engine paces itself by this timer; a run must depend on its seed alone.
    const real = performance.now;
    performance.now = this.#time.monotonicMs;
    try {
      this.#group([], true);
      this.#group(
        this.#clients.opening().map((command) => message(command, 0)),
        false,
      );
      while (this.#sent.length < commands) this.#step();
      this.#rest();
    } finally {
      performance.now = real;
    }
  }

  /** Closes every handle and removes the files. */
  close(): void {
    this.#replica.close();
    for (const shard of [...this.#ghosts, this.#shard, this.#successor]) shard?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #step(): void {
    const random = this.#random;
    this.#steps += 1;
    const tied = this.#passTime();
    for (let i = random.between(0, 3); i > 0; i -= 1)
      this.#send(this.#clients.next(this.#apiNow()));
    if (this.#sent.length > 0 && random.chance(22)) {
      const command = this.#clients.again(random.pick(this.#sent.slice(-40)));
      this.#post(command);
    }
    const batch = this.#transport.take(random.between(1, GROUP_MAX), this.#stamp);
    if (tied) batch.splice(random.below(batch.length + 1), 0, tied);
    this.#fault = random.weighted(FAULTS);
    if (this.#fault === "zombie") this.#wakeZombie();
    this.#group(batch, !tied && random.chance(30));
    if (this.#steps % 64 === 0) this.#inspect();
  }

  #send(command: Command): void {
    this.#sent.push(command);
    this.#post(command);
  }

  #post(command: Command): void {
    const delayMs = this.#random.chance(20) ? this.#random.below(60_000) : 0;
    const isLapsed =
      command.time_left_ms === undefined && command.key !== undefined && this.#random.chance(2);
    this.#transport.put({ command, isLapsed, at: this.#stamp + delayMs });
  }

  /** Lets time pass; sometimes to the millisecond a hold falls due, with a use of that hold. */
  #passTime(): Message | null {
    const random = this.#random;
    const kind = random.weighted({ moment: 45, seconds: 40, minutes: 8, tie: 14, day: 1, jump: 2 });
    if (kind === "tie") return this.#passToExpiry();
    if (kind === "jump") {
      this.#time.jumpWall(this.#jumpMs());
      this.#count("wall clock jumped");
    }
    if (kind === "moment" || kind === "jump") this.#advance(random.between(0, 40));
    else if (kind === "seconds") this.#advance(random.between(500, 20_000));
    else if (kind === "minutes") this.#advance(random.between(60_000, 400_000));
    else this.#advance(DAY_MS + random.below(3_600_000));
    return null;
  }

  /** What time an api makes it: by the line that it has read, as it reads it in life. */
  #apiNow(): number {
    const nowMs = Math.floor(timeOn(this.#line, this.#time.monotonicMs()));
    check(
      nowMs >= this.#model.lastStamp,
      () => `a stamp is ${nowMs - this.#model.lastStamp} ms old`,
    );
    return nowMs;
  }

  #passToExpiry(): Message | null {
    const held = [...this.#model.ledger.open].filter(
      (hold) => hold.state === "held" && hold.expiresAt > this.#stamp,
    );
    const [hold] = held.sort((a, b) => a.expiresAt - b.expiresAt);
    if (!hold) return null;
    const target = hold.expiresAt - this.#random.below(2);
    while (this.#stamp < target)
      this.#advance(Math.max(1, Math.floor((target - this.#stamp) / 1.1)));
    if (this.#stamp === hold.expiresAt) this.#count("used in the millisecond of its expiry");
    if (this.#stamp === hold.expiresAt - 1) this.#count("used a millisecond before its expiry");
    const command = this.#clients.book(hold.id);
    this.#sent.push(command);
    return message(command, this.#stamp);
  }

  #advance(ms: number): void {
    const before = this.#stamp;
    let leftMs = ms;
    for (let i = 0; i < STEERED_MAX && leftMs > STEER_EVERY_MS; i += 1) {
      this.#shard.clock.steer();
      this.#time.advance(STEER_EVERY_MS);
      leftMs -= STEER_EVERY_MS;
    }
    this.#shard.clock.steer();
    this.#time.advance(leftMs);
    this.#stamp = this.#shard.clock.now();
    const passed = this.#stamp - before;
    const isSteady = passed >= ms * 0.9 - 1 && passed <= ms * 1.1 + 1;
    check(isSteady, () => `engine time moved ${passed} ms in ${ms} ms`);
  }

  /** One group of the engine, and what became of it. */
  #group(batch: readonly Message[], isTick: boolean, hadCut = batch.some(isCut)): void {
    const shard = this.#shard;
    const replied = new Set<number>();
    const isReplyLost = this.#random.chance(10);
    shard.journal.failure = null;
    if (this.#fault === "disk full") shard.fillDisk(true);
    shard.journal.isDoomed = this.#fault === "crash before commit";
    for (const [i, each] of batch.entries()) {
      const send = (reply: Reply) => {
        check(!replied.has(i), () => `${each.command.type} was answered twice`);
        replied.add(i);
        this.#acknowledge(each.command, reply);
      };
      this.#inFlight.set(send, each);
      shard.engine.submit({ command: each.command, isLapsed: each.isLapsed, send });
    }
    if (isTick) shard.engine.tick();
    const isLost = this.#fault === "commit lost";
    const isAway = isLost || this.#fault.startsWith("fenced on the way");
    shard.journal.isAway = isAway || (this.#fault !== "disk full" && this.#random.chance(10));
    if (this.#fault === "fenced between groups") this.#fence();
    const isFencedNext = this.#fault === "fenced before commit";
    shard.journal.onDecided = isFencedNext ? (step) => this.#fence(step) : null;
    shard.engine.runGroup();
    this.#land(isLost, replied);
    this.#inFlight.clear();
    same(shard.threw, [], "decisions that threw");
    if (this.#successor) this.#succeed(this.#successor, batch, replied.size);
    else if (shard.fatal) this.#bury(shard.fatal, batch);
    else if (shard.journal.failure) this.#outliveFullDisk(batch, replied.size);
    else {
      same(replied.size, batch.length, "answers");
      if (this.#fault === "disk full") shard.fillDisk(false);
      if (isTick) this.#model.checkNothingDue(this.#stamp);
      if (this.#fault === "crash idle") this.#bury(new Crash("after reply"), []);
      if (isReplyLost) this.#transport.put(...batch.filter(({ command }) => command.key));
    }
    this.#fault = "none";
    const over = this.#cells.check(this.#shard, this.#model, hadCut);
    if (over > 0) this.#count("a cut below what is taken");
    const { ledger, keptDay } = this.#model;
    sameIncidents(this.#shard.state.incidents.keys(), ledger);
    const open = this.#incidents.check(this.#stamp, pageStart(keptDay), ledger);
    if (open > 1) this.#count("several oversell incidents at once");
  }

  /** While a commit is under way nothing is answered and nothing decided; then it lands. */
  #land(isLost: boolean, replied: ReadonlySet<number>): void {
    const { journal, engine } = this.#shard;
    const { underWay } = journal;
    journal.isAway = false;
    journal.onDecided = null;
    journal.underWay = null;
    if (underWay === null) return;
    const before = [engine.state.row, engine.queued];
    engine.tick();
    engine.runGroup();
    same([engine.state.row, engine.queued], before, "what was decided while a commit is under way");
    same(replied.size, 0, "answers before the commit");
    if (this.#fault === "fenced on the way") this.#fence(underWay.step);
    const isLostToo = this.#successor !== null && this.#random.chance(50);
    underWay.land(isLost || isLostToo, () => {
      if (this.#fault === "fenced on the way back") this.#fence(underWay.step);
    });
    if (!isLost) this.#count("commit under way");
    engine.runGroup();
  }

  #onCommitted(group: Group): void {
    const sent = group.answers.map(({ send }) => this.#inFlight.get(send)!);
    const { setBackMs } = this.#model;
    this.#model.follow(group, sent, this.#stamp);
    this.#transport.setBack(this.#model.setBackMs - setBackMs);
    for (const [i, { reply }] of group.answers.entries()) {
      this.#countReply(sent[i]!.command, reply);
    }
    const isCrash = this.#fault === "crash after commit";
    if (isCrash || (this.#successor && this.#random.chance(50))) throw new Crash("after commit");
    for (const { kind, id } of group.due) {
      if (kind === "payment") this.#charge(this.#shard.reader.payment(id));
      else this.#refund(this.#shard.reader.refund(id));
    }
  }

  #charge(payment: Payment | null): void {
    check(payment !== null, "a due payment is not recorded");
    this.#transport.put(...this.#provider.charge(payment, this.#stamp));
  }

  #refund(refund: Refund | null): void {
    check(refund !== null, "a due refund is not recorded");
    this.#transport.put(...this.#provider.refund(refund, this.#stamp));
  }

  /** A reply that left is in the journal: the model follows only what was committed. */
  #acknowledge(command: Command, reply: Reply): void {
    if (reply.rendered === null || reply.phase !== "sealed" || !reply.key) return;
    // Without events nothing is kept under a key that no client sent.
    if (command.is_anonymous && reply.row === 0) return;
    const stored = this.#model.ledger.keys.get(reply.key);
    const isStored = stored?.outcomeJson === reply.rendered.json;
    check(isStored, () => `${command.type} was answered before it was in the journal`);
  }

  #bury(fatal: unknown, batch: readonly Message[]): void {
    if (!(fatal instanceof Crash)) throw fatal;
    this.#count(`crash ${fatal.message}`);
    this.#transport.put(...batch);
    this.#retire(this.#shard);
    this.#restart();
  }

  /** The process is gone; sometimes the file stays open, as a stopped process would keep it. */
  #retire(shard: Shard): void {
    if (this.#random.chance(60)) shard.close();
    else {
      shard.engine.stop();
      this.#ghosts.push(shard);
    }
  }

  #restart(): void {
    const random = this.#random;
    if (random.chance(15)) this.#time.jumpWall(this.#jumpMs());
    this.#reopen(random.chance(50));
    this.#begin();
  }

  /** What an engine does first. */
  #begin(): void {
    // As in life, time's own work comes before any command.
    this.#fault = "none";
    this.#group([], true, true);
    // What waits for the provider is found by state: the hint of the lost process is gone.
    const { reader } = this.#shard;
    for (const id of reader.open("payment")) {
      const payment = reader.payment(id)!;
      check(payment.created_at <= this.#stamp, "an open payment is from the future");
      this.#charge(payment);
    }
    for (const id of reader.open("refund")) {
      const refund = reader.refund(id)!;
      check(refund.created_at <= this.#stamp, "an open refund is from the future");
      this.#refund(refund);
    }
  }

  /** `isSameBoot`: the engine crashed, and its machine did not. */
  #reopen(isSameBoot: boolean): void {
    this.#time.advance(this.#random.between(1, 3_000));
    this.#shard = this.#open(isSameBoot);
    this.#stamp = this.#shard.clock.now();
    this.#count(
      this.#shard.snapshotRow > 0 ? "restart from a snapshot" : "restart from the journal",
    );
  }

  /** Seconds to years, either way. */
  #jumpMs(): number {
    const random = this.#random;
    const unit = random.pick([1_000, 60_000, 3_600_000, DAY_MS, 365 * DAY_MS]);
    return (random.chance(50) ? 1 : -1) * unit * random.between(1, 3);
  }

  #open(isSameBoot: boolean): Shard {
    const options = {
      path: this.#path,
      time: this.#time,
      ignoreSnapshots: this.#random.chance(30),
      onCommitted: (group: Group) => this.#onCommitted(group),
      former: isSameBoot ? this.#line : null,
      publish: (line: TimeLine) => {
        this.#line = line;
      },
    };
    const open = (isAccepted: boolean) => new Shard({ ...options, isAccepted });
    const trouble = isSameBoot ? null : this.#clockTrouble();
    if (!trouble) return open(false);
    this.#count(trouble);
    let refused: unknown = null;
    try {
      open(false).close();
    } catch (error) {
      refused = error;
    }
    const isNamed = refused instanceof Damage && refused.damage === trouble;
    check(isNamed, () => `${trouble} was answered by ${refused}`);
    // An operator sets a clock right, or says that it is.
    if (this.#random.chance(60)) this.#time.setRight();
    return open(this.#clockTrouble() !== null);
  }

  #clockTrouble(): DamageName | null {
    const { lastStamp } = this.#model;
    const aheadMs = lastStamp === 0 ? 0 : this.#time.wallMs() - lastStamp;
    if (aheadMs < -60_000) return "clock_behind_journal";
    return aheadMs > 45 * DAY_MS ? "clock_ahead_of_journal" : null;
  }

  /** Nothing of the group counts; everybody is told to come again, also until the next probe. */
  #outliveFullDisk(batch: readonly Message[], replied: number): void {
    this.#count("disk full");
    same(replied, batch.length, "answers on a full disk");
    same(this.#shard.state.row, this.#model.row, "row after a failed group");
    const { engine, journal } = this.#shard;
    for (const { command } of batch) {
      const { key } = command;
      if (!key) continue;
      same(engine.records.outcomeOf(key), journal.outcomeOf(key), "outcome after a failed group");
    }
    this.#transport.put(...batch);
    const told: Reply[] = [];
    const command = this.#clients.next(this.#stamp);
    engine.submit({ command, isLapsed: false, send: (reply) => told.push(reply) });
    engine.runGroup();
    same(
      told.map((reply) => reply.rendered?.json ?? null),
      [null],
      "answers until the next probe",
    );
    this.#shard.fillDisk(false);
    this.#advance(1_200);
    engine.runGroup();
  }

  /** An engine that slept while another took over must neither write nor answer. */
  #wakeZombie(): void {
    const zombie = this.#shard;
    this.#ghosts.push(zombie);
    this.#restart();
    this.#fault = "none";
    if (this.#random.chance(50)) this.#group(this.#transport.take(GROUP_MAX, this.#stamp), true);
    this.#mustEnd(zombie);
    this.#count("zombie fenced");
  }

  /** Another engine takes the epoch; it begins when the one before it has ended. */
  #fence(step?: Step): void {
    this.#successor = this.#open(true);
    this.#count(step ? `${this.#fault}: ${step}` : this.#fault);
  }

  /**
   * The last group of a fenced engine is answered whole, if it was durable before, or ends it. Its
   * clients send again to the successor.
   */
  #succeed(successor: Shard, batch: readonly Message[], replied: number): void {
    const fenced = this.#shard;
    const isOver = replied === 0 && (batch.length === 0 || fenced.fatal !== null);
    const wasDurable = this.#fault === "fenced on the way back" && replied === batch.length;
    check(isOver || wasDurable, () => `${this.#fault}: ${replied} answers, ${fenced.fatal}`);
    if (replied > 0) this.#count("a fenced engine answered what was durable");
    this.#shard = successor;
    this.#successor = null;
    this.#stamp = successor.clock.now();
    this.#mustEnd(fenced);
    this.#transport.put(...batch);
    this.#retire(fenced);
    this.#begin();
  }

  /** At the next command at the latest a fenced engine ends; it wrote and answers nothing. */
  #mustEnd(fenced: Shard): void {
    // A new request would write a row; one that was answered long ago only reads.
    const isNew = this.#sent.length === 0 || this.#random.chance(60);
    const command = isNew ? this.#clients.next(this.#stamp) : this.#random.pick(this.#sent);
    let isAnswered = false;
    const send = () => {
      isAnswered = true;
    };
    fenced.engine.submit({ command, isLapsed: false, send });
    fenced.engine.runGroup();
    const { journal, state } = this.#shard;
    const last = journal.db.query<{ row: number }, []>("SELECT max(row) AS row FROM journal").get();
    const { row } = this.#model;
    const found = [last?.row, journal.head.row, state.row, isAnswered];
    same(found, [row, row, row, false], "rows and answers after the fence");
    check(fenced.fatal instanceof Fenced, () => `a fenced engine was ended by ${fenced.fatal}`);
  }

  #inspect(): void {
    checkDeeply(this.#shard, this.#replica, this.#model, this.#path);
    const damage = checkDamage(this.#shard, this.#path, this.#random);
    if (damage !== null) this.#count(damage);
    const { journal, state } = this.#shard;
    const source = this.#random.chance(50) ? state : this.#replica.state;
    if (this.#random.chance(60)) writeSnapshot(this.#path, journal.id, journal.head, source);
  }

  /** No more faults: everything on the way arrives, and nothing may be left open. */
  #rest(): void {
    const { ledger } = this.#model;
    for (let next = this.#transport.nextAt; next !== undefined; next = this.#transport.nextAt) {
      if (next > this.#stamp) this.#advance(Math.ceil((next - this.#stamp) * 1.1) + 1);
      this.#group(this.#transport.take(GROUP_MAX * 4, this.#stamp), true);
    }
    this.#advance(3 * DAY_MS);
    this.#group([], true);
    checkDeeply(this.#shard, this.#replica, this.#model, this.#path);
    checkPeople(this.#replica);
    same(ledger.open.size, 0, "open holds at rest");
    for (const [key, { phase }] of ledger.keys) check(phase !== "running", `key ${key} still runs`);
    const late = checkMoney(this.#model, this.#provider.captured);
    if (late > 0) this.#count("late capture refunded");
    this.#retire(this.#shard);
    const live = stateHash(this.#shard.state);
    this.#reopen(true);
    same(stateHash(this.#shard.state), live, "state after the last restart");
  }

  #count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  #countReply(command: Command, reply: Reply): void {
    if (reply.replayed) return this.#count(`replayed while ${reply.phase}`);
    const outcome = reply.rendered && JSON.parse(reply.rendered.json);
    const detail = outcome?.detail?.reason ? ` ${outcome.detail.reason}` : "";
    this.#count(`${command.type}: ${outcome?.code ?? outcome?.kind ?? reply.phase}${detail}`);
    const isHere = outcome?.kind === "modification" && outcome.data.state === "checked_in";
    if (isHere) this.#count("a guest in the house goes earlier or later");
  }
}

function isCut({ command }: Message): boolean {
  return (
    command.type === "UpdateAri" ||
    command.type === "ReplaceProperty" ||
    command.type === "ResolveIncident"
  );
}

function message(command: Command, at: number): Message {
  return { command, at, isLapsed: false };
}
