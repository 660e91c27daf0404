/** What the program that builds a feed is told: its one argument, as JSON. */
export interface BuildOrder {
  readonly journal_path: string;
  readonly tenant_id: string;
  readonly partner: string;
  readonly run_id: string;
  /** Empty, or not there yet. */
  readonly directory: string;
  /** Engine time, epoch milliseconds. */
  readonly now_ms: number;
  readonly site_url: string;
  /** Gives way and rests between pieces of the work, because nobody waits for its end. */
  readonly is_paced: boolean;
}
