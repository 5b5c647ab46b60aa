// What a release says of itself: the Pending section of the changelog, and how to see that a download is the one that was
// made.
export class NotReady extends Error {}

const PENDING = /^## Pending\n([\s\S]*?)(?=^## |$(?![\s\S]))/m;

function pendingOf(changelog: string): string {
  const text = PENDING.exec(changelog)?.[1]?.trim() ?? '';
  if (text === '') throw new NotReady('The Pending section of CHANGELOG.md is empty: there is nothing to release.');
  return text;
}

export const notesOf = (version: string, commit: string, changelog: string): string =>
  `# Kassa ${version}

Made from commit ${commit}. \`sha256sum -c SHA256SUMS\` compares the files with what was made. The statement of what they
were made from is not signed: \`npm ci && npm run release:pack\` at that commit makes the same package again.

How to upgrade, and the way back: docs/operate/upgrade.md.

${pendingOf(changelog)}
`;
