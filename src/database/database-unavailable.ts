// The one error of this folder. Its message is a sentence for the person who started Kassa: the caller prints it and
// leaves with status 1. Whatever is not one of these is a defect and keeps its stack.

export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}
