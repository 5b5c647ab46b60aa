// The list of what a release is made of (SBOM), in the terms of CycloneDX: made by npm from the lockfile, so it names
// versions and digests, and no place where anybody got them from.
type Component = {
  readonly name: string;
  readonly properties?: readonly { readonly name: string }[];
  readonly externalReferences?: readonly { readonly type: string }[];
};
type Sbom = {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
};

const withoutPlaces = <Kind extends Component>(component: Kind): Kind => ({
  ...component,
  externalReferences: (component.externalReferences ?? []).filter(({ type }) => type !== 'distribution'),
});

/** As npm made it, but for what only tells of the folder in which it was made. */
export function tidySbom(text: string, name: string): string {
  const sbom = JSON.parse(text) as Sbom;
  const { component } = sbom.metadata;
  const isTold = ({ name: property }: { readonly name: string }): boolean => property !== 'cdx:npm:package:private';
  const told = { ...withoutPlaces(component), type: 'application', name };
  return `${JSON.stringify(
    {
      ...sbom,
      metadata: { ...sbom.metadata, component: { ...told, properties: (told.properties ?? []).filter(isTold) } },
      components: sbom.components.map(withoutPlaces),
    },
    null,
    2,
  )}\n`;
}
