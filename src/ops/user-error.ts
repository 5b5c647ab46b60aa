// An error that is told to people in one sentence, whatever they ran: a command, or the service itself.

/** Something the person at the keyboard can mend; told in one sentence, without a stack. */
export class UserError extends Error {
  override readonly name = 'UserError';
}
