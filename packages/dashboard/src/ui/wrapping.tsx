import { Fragment } from 'react';
import { wrapParts } from '../util/wrap-parts.ts';

/**
 * Renders an address, a host name or a resource name in a table cell. The text wraps at its separators. Only a phone
 * may break a long word.
 */
export function Wrapping({ text }: { text: string }) {
  const parts = wrapParts(text);
  return (
    <span className="wrap-anywhere md:wrap-break-word">
      {parts.map((part, at) => (
        <Fragment key={parts.slice(at).join('')}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
