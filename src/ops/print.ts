// Terminal output. Results go to standard output, so that they can be piped; messages go to standard error.

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** A message on standard error. */
export const remark = (text: string): void => void process.stderr.write(`${text}\n`);

/** Rows in columns as wide as they need to be. */
export function alignRows(rows: readonly (readonly string[])[]): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
