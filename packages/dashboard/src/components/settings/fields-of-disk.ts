/**
 * Form fields for instance settings about disk usage, the retention of images, volumes and databases, and the
 * instance's registry.
 */
import type { SettingSection } from './section.ts';

const GONE = 'If the stored data exceeds the new limit, Davit permanently deletes the oldest data.';

export const IMAGES: SettingSection = {
  value: 'images',
  label: 'Images and disk',
  title: 'Images, disk and volumes',
  description: 'Retention of images and deleted data, and limits of the disk usage.',
  fields: [
    {
      path: 'images.keep',
      label: 'Images to keep',
      hint: 'Number of earlier releases of each app whose images Davit keeps for rollbacks.',
      kind: 'number',
      usual: '10',
      whenLess:
        'The next cleanup removes the images of older releases. A rollback to such a release must pull the image again.',
    },
    {
      path: 'images.forget_pulled',
      label: 'Remove pulled tags',
      hint: 'Davit removes the tags of unused pulled images. Docker can then delete these images. If this option is off, the images stay on the disk.',
      kind: 'check',
      usual: 'true',
    },
    {
      path: 'disk.warn_percent',
      label: 'Show a warning from',
      hint: 'Disk usage at which Davit shows a warning.',
      kind: 'number',
      unit: '%',
      usual: '80',
    },
    {
      path: 'disk.refuse_percent',
      label: 'Refuse deployments from',
      hint: 'Disk usage at which Davit refuses deployments. Running apps are not affected.',
      kind: 'number',
      unit: '%',
      usual: '95',
    },
    {
      path: 'volumes.trash_days',
      label: 'Deleted volumes',
      hint: 'Number of days that a deleted volume stays in the trash.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess:
        'After you save, Davit permanently deletes volumes that have been in the trash for longer than the new number of days.',
    },
    {
      path: 'databases.trash_days',
      label: 'Deleted databases',
      hint: 'Number of days that a deleted database or object store stays in the trash.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess:
        'After you save, Davit permanently deletes databases and object stores that have been in the trash for longer than the new number of days.',
    },
  ],
};

export const REGISTRY: SettingSection = {
  value: 'registry',
  label: 'Registry',
  title: 'Registry of this instance',
  description: 'How long Davit keeps pushed images, and when the garbage collection removes unused images.',
  fields: [
    {
      path: 'registry.keep_tags',
      label: 'Tags to keep',
      hint: 'For each app, Davit keeps the newest tags up to this number, and all tags in use. Enter 0 to keep all tags.',
      kind: 'number',
      usual: '50',
      whenLess:
        'If an app has more tags than the new limit, the next garbage collection deletes its oldest unused tags.',
    },
    {
      path: 'registry.deleted_days',
      label: 'Images of deleted apps',
      hint: 'Number of days that Davit keeps the pushed images of deleted apps.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: GONE,
    },
    {
      path: 'registry.push_minutes',
      label: 'Recent pushes',
      hint: 'Minimum age of a pushed image before the garbage collection can delete it.',
      kind: 'number',
      unit: 'minutes',
      usual: '10',
    },
    {
      path: 'registry.collect_cron',
      label: 'Garbage collection',
      hint: 'Cron expression for daily times. Example: “0 3,15 * * *” for 03:00 and 15:00.',
      kind: 'text',
      usual: '30 3 * * *',
    },
    {
      path: 'registry.time_zone',
      label: 'Time zone',
      hint: 'Time zone of the garbage collection.',
      kind: 'text',
      usual: 'UTC',
    },
  ],
};
