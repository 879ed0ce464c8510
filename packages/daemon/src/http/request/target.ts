import { DavitError } from '@davit/api';
import { quote } from '@davit/service';

/** Percent-decodes one segment of a URL path. @throws DavitError bad_request for an invalid encoding */
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
