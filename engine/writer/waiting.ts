/** Commands that wait for a group, in two queues: supply changes wait behind all others. */
import { type Command, isBulk } from "../core/commands.ts";
import { Fifo } from "./fifo.ts";
import type { Reply } from "./group.ts";

export interface Submission {
  readonly command: Command;
  /** The caller's deadline passed before the engine saw the command. */
  readonly isLapsed: boolean;
  /** Called after the commit, in the order of the group. */
  readonly send: (reply: Reply) => void;
}

export class Waiting {
  readonly normal = new Fifo<Submission>();
  readonly bulk = new Fifo<Submission>();

  get size(): number {
    return this.normal.size + this.bulk.size;
  }

  push(submission: Submission): void {
    (isBulk(submission.command) ? this.bulk : this.normal).push(submission);
  }

  takeAll(): readonly Submission[] {
    return [...this.normal.takeAll(), ...this.bulk.takeAll()];
  }
}
