import { DavitError } from '@davit/api';
import { quote } from '@davit/service';

/**
 * Decodes a path segment once.
 * @throws DavitError bad_request for an invalid escape
 */
export function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment;
  try {
    return decodeURIComponent(segment);
  } catch (cause) {
    throw new DavitError(
      'bad_request',
      `The path contains an invalid percent-encoding: “${quote(segment)}”. Encode % as %25.`,
      { cause },
    );
  }
}
