import { z } from 'zod';

/** Parts of an instance that `davit doctor` checks, in the order of the output. */
export const CHECK_NAMES = [
  'daemon',
  'state_database',
  'recovery_key',
  'engine',
  'proxy',
  'registry',
  'ports',
  'firewall',
  'disk',
  'clock',
  'certificates',
  'domains',
  'backups',
  'platform_images',
  'orphans',
  'apps',
  'settings',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

export const CHECK_STATES = ['ok', 'warning', 'problem'] as const;
export type CheckState = (typeof CHECK_STATES)[number];

export const InstanceCheck = z
  .object({
    name: z.enum(CHECK_NAMES).describe('Part of the instance that was checked.'),
    state: z
      .enum(CHECK_STATES)
      .describe(
        'Result of the check. `problem`: a function of the instance does not work. `warning`: a function may fail later.',
      ),
    message: z.string().describe('Result of the check as a sentence, with the action that solves a problem.'),
    repairable: z.boolean().describe('Whether `POST /instance/checks/repair` tries to repair this problem.'),
  })
  .meta({ id: 'InstanceCheck', description: 'Result of a check. A part with several problems has several results.' });
export type InstanceCheck = z.infer<typeof InstanceCheck>;

export const InstanceChecks = z
  .object({ checks: z.array(InstanceCheck).describe('Results of all checks.') })
  .meta({ id: 'InstanceChecks' });
export type InstanceChecks = z.infer<typeof InstanceChecks>;

export const InstanceRepair = InstanceChecks.extend({
  actions: z
    .array(
      z.object({
        name: z.enum(CHECK_NAMES).describe('Part of the instance that Davit repaired.'),
        message: z.string().describe('Description of the repair.'),
      }),
    )
    .describe('Repairs that Davit ran. Empty if no problem can be repaired automatically.'),
  checks: z.array(InstanceCheck).describe('Results of all checks after the repairs.'),
}).meta({ id: 'InstanceRepair' });
export type InstanceRepair = z.infer<typeof InstanceRepair>;

export const RecoveryKeyInput = z.strictObject({
  public_key: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/, 'must have 32 bytes in base64url')
    .describe('Public part of the recovery key: an X25519 public key, 32 bytes in base64url.'),
});
export type RecoveryKeyInput = z.infer<typeof RecoveryKeyInput>;
