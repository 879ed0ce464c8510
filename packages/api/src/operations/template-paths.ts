import { z } from 'zod';
import { PathName } from '../schemas/common.ts';

export const TemplatePath = z.object({
  owner: PathName.describe('Owner of the Git repository of the template.'),
  name: PathName.describe('Name of the Git repository of the template.'),
});

export const InstallPath = z.object({ install: z.string().describe('ID of the installation.') });
