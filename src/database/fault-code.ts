// The codes by which Node and Postgres name a fault (ENOENT, 3D000), read from an error of unknown shape.

export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

/** For a catch: lets this one fault pass and throws every other. */
export function ignoring(code: string): (error: unknown) => undefined {
  return (error) => {
    if (codeOf(error) !== code) throw error;
  };
}
