/**
 * Pages of a listing with the requested key encoding. The pages are computed from a complete listing, because pages of
 * s3rver end with an error.
 */

/** Query parameters that are removed from the request, because this module handles them. */
export const DONE_HERE = ['encoding-type', 'max-keys', 'continuation-token'];

/**
 * Returns one page of a listing.
 * @param xml complete listing, with at most as many keys as s3rver lists at once
 */
export function pageOfListing(xml: string, query: URLSearchParams): string {
  const from = Buffer.from(query.get('continuation-token') ?? '', 'base64url').toString();
  const most = Number(query.get('max-keys') ?? '1000');
  const blocks = [...xml.matchAll(/<(Contents|CommonPrefixes)>.*?<(?:Key|Prefix)>([^<]*)<.*?<\/\1>/gs)]
    .map(([text, , key = '']) => ({ text, key: plain(key) }))
    .filter(({ key }) => key > from)
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const some = blocks.slice(0, most);
  const isTruncated = some.length < blocks.length;
  const token = Buffer.from(some.at(-1)?.key ?? '').toString('base64url');
  const isEncoded = query.get('encoding-type') === 'url';
  return [
    '<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">',
    `<IsTruncated>${isTruncated}</IsTruncated><KeyCount>${some.length}</KeyCount>`,
    isTruncated ? `<NextContinuationToken>${token}</NextContinuationToken>` : '',
    isEncoded ? '<EncodingType>url</EncodingType>' : '',
    ...some.map(({ text }) => (isEncoded ? withEncodedKeys(text) : text)),
    '</ListBucketResult>',
  ].join('');
}

function withEncodedKeys(xml: string): string {
  return xml.replaceAll(/<(Key|Prefix)>([^<]*)<\/\1>/g, (_, tag: string, key: string) => {
    return `<${tag}>${encodeURIComponent(plain(key)).replaceAll('%20', '+')}</${tag}>`;
  });
}

function plain(text: string): string {
  const angles = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"');
  return angles.replaceAll('&#x27;', "'").replaceAll('&#x60;', '`').replaceAll('&amp;', '&');
}
