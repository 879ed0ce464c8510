/**
 * Records that the manifests of existing template installations are stored in plain text. SQL has no access to the
 * master key, so the daemon encrypts the manifests when it starts.
 */
export const sealedManifests = `
INSERT INTO settings (key, value) SELECT 'plain_manifests', '1' WHERE EXISTS (SELECT 1 FROM template_installs);
`;
