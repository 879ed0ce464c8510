/** Certificate chain, private key, or both, from a PEM text. */
export interface PemParts {
  certificate: string;
  key: string;
}

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]*?-----END \1-----/g;

/** Splits PEM text into certificates and a private key. Text outside the PEM blocks is ignored. */
export function partsOfPem(text: string): PemParts {
  const blocks = [...text.matchAll(BLOCK)];
  const pick = (isKey: boolean) =>
    blocks
      .filter(([, kind = '']) => kind.endsWith('PRIVATE KEY') === isKey)
      .map(([block]) => `${block}\n`)
      .join('');
  return { certificate: pick(false), key: pick(true) };
}
