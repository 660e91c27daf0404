/** The file was written by a newer version: only that one may go on with it. */
export class NewerFormat extends Error {
  override readonly name = "NewerFormat";

  constructor(path: string, format: number, known: number) {
    const reads = `this version reads up to ${known}`;
    super(`${path} has format ${format}, ${reads}: start a newer version`);
  }
}
