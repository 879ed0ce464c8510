import { CatalogError } from '@davit/api/catalog/errors.ts';
import { TEMPLATE_BYTES } from '@davit/api/catalog/limits.ts';

/**
 * Maximum size of a submitted HTML form in bytes. Percent-encoding can triple the size of a template file. For example,
 * a line feed becomes `%0A`.
 */
const FORM_BYTES = 3 * TEMPLATE_BYTES + 1_024;

const TOO_LARGE = `The template is larger than ${TEMPLATE_BYTES / 1_024} KiB. Paste a smaller file.`;

/**
 * Reads a field of a submitted HTML form.
 * @throws CatalogError too_large, or unsupported_media_type if the body is not a form
 */
export async function readField(request: Request, field: string): Promise<string> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded')
    throw new CatalogError('unsupported_media_type', 'The form is not valid. Use the page “Check a file”, or the API.');
  const text = new URLSearchParams(await readText(request)).get(field) ?? '';
  // Browsers send line breaks in a form as CR LF.
  const file = text.replaceAll('\r\n', '\n');
  if (Buffer.byteLength(file) > TEMPLATE_BYTES) throw new CatalogError('too_large', TOO_LARGE);
  return file;
}

async function readText(request: Request): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > FORM_BYTES) throw new CatalogError('too_large', TOO_LARGE);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
