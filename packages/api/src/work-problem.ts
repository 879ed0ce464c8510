import { ENGINE_PROBLEM_CODES, type EngineProblemCode } from './engine-problem.ts';
import { IMAGE_PROBLEM_CODES, type ImageProblemCode } from './image-problem.ts';

/** Code of the reason why a deployment, task or command run failed. */
export type WorkProblemCode = ImageProblemCode | EngineProblemCode;

export const WORK_PROBLEM_CODES = [...IMAGE_PROBLEM_CODES, ...ENGINE_PROBLEM_CODES] as const;
