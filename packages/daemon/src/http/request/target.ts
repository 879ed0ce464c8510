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
    throw new DavitError('bad_request', `The path has an escape that is not one: “${quote(segment)}”.`, { cause });
  }
}
