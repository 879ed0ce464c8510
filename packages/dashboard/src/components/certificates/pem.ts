/** What is chosen or pasted may hold a certificate, its key, or both. */
export interface PemParts {
  certificate: string;
  key: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** Sorts the blocks of a PEM file. Other text, which such files have between them, is left out. */
export function partsOfPem(text: string): PemParts {
  const blocks = [...text.matchAll(BLOCK)];
  const pick = (isKey: boolean) =>
    blocks
      .filter(([, kind = '']) => kind.endsWith('PRIVATE KEY') === isKey)
      .map(([block]) => `${block}\n`)
      .join('');
  return { certificate: pick(false), key: pick(true) };
}
