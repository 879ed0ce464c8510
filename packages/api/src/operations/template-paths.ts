import { z } from 'zod';
import { PathName } from '../schemas/common.ts';

export const TemplatePath = z.object({
  owner: PathName.describe('The repository’s owner.'),
  name: PathName.describe('The repository’s name.'),
});

export const InstallPath = z.object({ install: z.string().describe('The installation’s number.') });
