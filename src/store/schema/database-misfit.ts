// The error for a database that this program cannot work with. In a file of its own, so that code that reports it does
// not load the driver.

/** The database and this program do not match; the message says what to do. */
export class DatabaseMisfit extends Error {
  override readonly name = 'DatabaseMisfit';
}

/** From a version that was never released. The caller knows where the database is and can say how to start over. */
export class UnreleasedSchema extends DatabaseMisfit {
  constructor(startOver = 'give Kassa an empty database') {
    super(
      'This database was created by an unreleased development version of Kassa and cannot be upgraded: ' +
        `to start over, ${startOver}.`,
    );
  }
}
