import type { WorkProblemCode } from '@davit/api';
import { EngineProblem } from './engine-problem.ts';
import { ImageProblem } from './image-problem.ts';

/** Returns the code that goes on record with the message of what ended a piece of work; `null` if it has none. */
export function workProblemCode(failure: unknown): WorkProblemCode | null {
  return failure instanceof ImageProblem || failure instanceof EngineProblem ? failure.code : null;
}
