// The error class of this folder. Its message is a sentence for the user: the caller prints it and exits with 1. Any other
// error is a defect and keeps its stack trace.

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
