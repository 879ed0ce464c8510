import type { ImageProblemCode } from '@davit/api';

/**
 * Error from another registry. The error message is only for the log, because it can contain names and text of other
 * systems.
 */
export class RemoteProblem extends Error {
  override name = 'RemoteProblem';
  readonly code: ImageProblemCode;

  constructor(code: ImageProblemCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Returns the error for the HTTP status of a registry's response. */
export function problemOfStatus(status: number, doing: string): RemoteProblem {
  return new RemoteProblem(codeOf(status), `${doing}: status ${status}`);
}

function codeOf(status: number): ImageProblemCode {
  if (status === 401 || status === 403) return 'registry_unauthorized';
  if (status === 404) return 'image_not_found';
  if (status === 429) return 'registry_rate_limited';
  return status >= 500 ? 'registry_unreachable' : 'registry_answer_invalid';
}
