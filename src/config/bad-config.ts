// Errors in the environment: each is one sentence that names the setting and says what it must be.

export class BadConfig extends Error {
  override readonly name = 'BadConfig';
}

export class UnknownSetting extends BadConfig {
  readonly unknown: readonly string[];
  readonly known: readonly string[];

  constructor(unknown: readonly string[], known: readonly string[]) {
    super(`Unknown setting ${unknown.join(', ')}; the settings are ${known.join(', ')}.`);
    this.unknown = unknown;
    this.known = known;
  }
}
