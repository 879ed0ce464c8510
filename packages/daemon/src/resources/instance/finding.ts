import type { CheckName, CheckState } from '@davit/api';

/** Problem that a part of the instance has noticed. The text tells operators what to do. */
export interface Finding {
  check: CheckName;
  state: Exclude<CheckState, 'ok'>;
  text: string;
}
