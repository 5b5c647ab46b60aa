// A database that this program cannot work with, for people to mend. It stands alone, so that whoever tells people of it
// need not load the driver.

/** The database and this program do not fit together; the message says what to do. */
export class DatabaseMisfit extends Error {
  override readonly name = 'DatabaseMisfit';
}

/** Of a version that was never released; who knows where the database is can say better how to start over. */
export class UnreleasedSchema extends DatabaseMisfit {
  constructor(startOver = 'give Kassa an empty database') {
    super(
      'This database was created by an unreleased development version of Kassa and cannot be upgraded: ' +
        `to start over, ${startOver}.`,
    );
  }
}
