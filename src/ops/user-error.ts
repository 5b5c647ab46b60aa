// An error that is shown to the user as one sentence, by a command or the service.

/** An error that the user can fix; shown as one sentence without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
