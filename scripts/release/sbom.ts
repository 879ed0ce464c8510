/** Writes the software bill of materials of a release in the CycloneDX format (https://cyclonedx.org/docs/1.6/json). */
import { createHash } from 'node:crypto';
import { type Lock, lockedPackage } from './lock.ts';

type License = { license: { id: string } } | { license: { name: string } } | { expression: string };

interface Component {
  type: 'library';
  'bom-ref': string;
  name: string;
  version: string;
  purl: string;
  licenses: License[];
  hashes: { alg: 'SHA-512'; content: string }[];
}

/**
 * Returns the bill of materials as JSON. It has no time and no random number, so the same release has the same bytes.
 * @param folders folders of the packages in the lock file
 */
export function sbomOf(lock: Lock, folders: Iterable<string>, version: string): string {
  const components = new Map<string, Component>();
  for (const folder of folders) {
    const component = componentOf(lock, folder);
    components.set(component.purl, component);
  }
  const sorted = [...components.values()].sort((a, b) => Buffer.compare(Buffer.from(a.purl), Buffer.from(b.purl)));
  const digest = createHash('sha256')
    .update(JSON.stringify([version, sorted]))
    .digest('hex');
  const document = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${uuidOf(digest)}`,
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': `davit@${version}`,
        name: 'davit',
        version,
        licenses: [{ license: { id: 'Apache-2.0' } }],
      },
    },
    components: sorted,
    dependencies: [{ ref: `davit@${version}`, dependsOn: sorted.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function componentOf(lock: Lock, folder: string): Component {
  const { version, integrity = '', license = '' } = lockedPackage(lock, folder);
  const name = folder.replace(/^.*node_modules\//, '');
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  const digest = Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: license === '' ? [] : [licenseOf(license)],
    hashes: [{ alg: 'SHA-512', content: digest }],
  };
}

/** An SPDX expression combines several licenses. A text that is not an SPDX identifier is a name. */
function licenseOf(license: string): License {
  if (/ (OR|AND|WITH) /.test(license)) return { expression: license };
  return /^[\w.+-]+$/.test(license) ? { license: { id: license } } : { license: { name: license } };
}

/** Returns a UUID of version 8 (application-defined, RFC 9562) that a digest determines. */
function uuidOf(digest: string): string {
  const variant = ((Number.parseInt(digest.slice(16, 17), 16) & 3) | 8).toString(16);
  const groups = [digest.slice(0, 8), digest.slice(8, 12), `8${digest.slice(13, 16)}`];
  return [...groups, `${variant}${digest.slice(17, 20)}`, digest.slice(20, 32)].join('-');
}
