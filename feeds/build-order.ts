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
  /**
   * After each piece of the work, because nobody waits for its end; 0 when somebody does. A line on
   * stdin says that somebody does by now.
   */
  readonly rest_ms: number;
}
