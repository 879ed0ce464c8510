import { variableNameProblem } from '@davit/api';

/** Returns why a new environment variable cannot have this name, or `null` if the name is valid. */
export function newNameProblem(name: string, taken: (name: string) => boolean): string | null {
  if (name === '') return 'Enter a name.';
  if (taken(name)) return 'This variable already exists. Edit it in its row.';
  const problem = variableNameProblem(name);
  return problem === null ? null : `The name ${name} ${problem}.`;
}
