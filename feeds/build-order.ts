/** The one argument of the build program, as JSON. */
export interface BuildOrder {
  readonly journal_path: string;
  readonly tenant_id: string;
  readonly partner: string;
  readonly run_id: string;
  /** Empty or missing. */
  readonly directory: string;
  /** Engine time, epoch milliseconds. */
  readonly now_ms: number;
  readonly site_url: string;
  /** Pause after each slice of work; 0 when a caller waits. A line on stdin ends the pauses. */
  readonly rest_ms: number;
}
