import type { CheckName, CheckState } from '@davit/api';

/** Problem of a part of the instance. The text describes what operators must do. */
export interface Finding {
  check: CheckName;
  state: Exclude<CheckState, 'ok'>;
  text: string;
}
