import { CHECK_PROBLEM_CODES, type CheckProblemCode } from './check.ts';
import { ENGINE_PROBLEM_CODES, type EngineProblemCode } from './engine.ts';
import { IMAGE_PROBLEM_CODES, type ImageProblemCode } from './image.ts';

/** Error code with the reason why a background task or a command run failed. */
export type WorkProblemCode = ImageProblemCode | EngineProblemCode;

export const WORK_PROBLEM_CODES = [...IMAGE_PROBLEM_CODES, ...ENGINE_PROBLEM_CODES] as const;

/** Error code with the reason why a deployment failed. */
export type DeploymentProblemCode = WorkProblemCode | CheckProblemCode | 'quota_exceeded';

export const DEPLOYMENT_PROBLEM_CODES = [...WORK_PROBLEM_CODES, ...CHECK_PROBLEM_CODES, 'quota_exceeded'] as const;
