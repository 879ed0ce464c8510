import { CatalogError } from '@davit/api/catalog/errors.ts';
import { TEMPLATE_BYTES, TEMPLATE_TYPES } from '@davit/api/catalog/limits.ts';
import { readBody } from '@davit/service';
import type { Exchange, Route } from './exchange.ts';
import { passing } from './failure.ts';
import type { Validator } from './validator.ts';

/**
 * Returns the route `POST /validate`, which checks a template file. The response has status 200 even if the template is
 * invalid.
 */
export function validateRoute(validator: Validator): Route {
  return {
    id: 'validateTemplate',
    method: 'POST',
    path: '/validate',
    async handle({ headers, incoming }) {
      demandTemplate(headers);
      const bytes = await readBody(incoming, TEMPLATE_BYTES, tooLarge);
      const body = await validator.check(bytes);
      return passing('application/json', `${body}\n`);
    },
  };
}

/**
 * Checks that the request body is an uncompressed template file.
 * @throws CatalogError unsupported_media_type
 */
function demandTemplate({ 'content-type': type = '', 'content-encoding': encoding }: Exchange['headers']): void {
  const [media = '', ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const isKnown = TEMPLATE_TYPES.some((one) => one === media);
  const isUtf8 = parameters.every((one) => one === '' || /^charset=(?:utf-8|"utf-8")$/.test(one));
  if (!isKnown || !isUtf8) throw new CatalogError('unsupported_media_type');
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new CatalogError(
      'unsupported_media_type',
      'The body is compressed, which this endpoint does not support. Send it without Content-Encoding.',
    );
}

function tooLarge(limit: number): CatalogError {
  return new CatalogError('too_large', `The template is larger than ${limit / 1024} KiB. Send a smaller file.`);
}
