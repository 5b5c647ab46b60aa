// Loaded into a Kassa before its program: its clock differs from the machine's, and so from the database's and from the
// other Kassa's, by as many milliseconds as CHAOS_CLOCK_MS says.
const offsetMs = Number(process.env['CHAOS_CLOCK_MS'] ?? 0);
const Real = Date;

class Shifted extends Real {
  constructor(...given: readonly unknown[]) {
    if (given.length === 0) super(Real.now() + offsetMs);
    else super(...(given as [number]));
  }

  static override now(): number {
    return Real.now() + offsetMs;
  }
}

globalThis.Date = Shifted as DateConstructor;
