// A database that this program cannot work with, for people to mend. It stands alone, so that whoever tells people of it
// need not load the driver.

/** The database and this program do not fit together; the message says what to do. */
export class DatabaseMisfit extends Error {
  override readonly name = 'DatabaseMisfit';
}

/** Of a time before the first schema; who knows where the database is can say better how to start over. */
export class EarlySchema extends DatabaseMisfit {
  constructor(startOver = 'give Kassa an empty database') {
    super(
      `This database was made by a Kassa from before its first schema, which cannot be carried along: to start over, ${startOver}.`,
    );
  }
}
