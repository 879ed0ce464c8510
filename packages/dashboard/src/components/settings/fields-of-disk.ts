/** Settings of the retention and limits of images and volumes on the disk. */
import type { SettingSection } from './section.ts';

const GONE = 'Davit permanently deletes data beyond this limit.';

export const IMAGES: SettingSection = {
  value: 'images',
  label: 'Images and disk',
  title: 'Images, disk and volumes',
  description: 'Retention of images and deleted data, and limits of the disk usage.',
  fields: [
    {
      path: 'images.keep',
      label: 'Images to keep',
      hint: 'Number of earlier releases of each app whose images are kept for rollbacks.',
      kind: 'number',
      usual: '10',
      whenLess: 'The next cleanup removes the images of older releases. A rollback to them must pull the image again.',
    },
    {
      path: 'images.forget_pulled',
      label: 'Remove pulled names',
      hint: 'Removes the names of pulled images together with the images. Otherwise these images stay on the disk.',
      kind: 'check',
      usual: 'true',
    },
    {
      path: 'disk.warn_percent',
      label: 'Warn from',
      hint: 'Disk usage at which Davit shows a warning.',
      kind: 'number',
      unit: '%',
      usual: '80',
    },
    {
      path: 'disk.refuse_percent',
      label: 'Refuse from',
      hint: 'Disk usage at which Davit refuses deployments. Running apps are not affected.',
      kind: 'number',
      unit: '%',
      usual: '95',
    },
    {
      path: 'volumes.trash_days',
      label: 'Deleted volumes',
      hint: 'Time for which you can restore a deleted volume.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: 'Davit permanently deletes volumes that have been in the trash for longer.',
    },
    {
      path: 'databases.trash_days',
      label: 'Deleted databases',
      hint: 'Time for which you can restore a deleted database or object store.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: 'Davit permanently deletes data that has been in the trash for longer.',
    },
  ],
};

export const REGISTRY: SettingSection = {
  value: 'registry',
  label: 'Registry',
  title: 'Registry of this instance',
  description: 'Retention of pushed images and times of the collection that removes unused images.',
  fields: [
    {
      path: 'registry.keep_tags',
      label: 'Tags to keep',
      hint: 'Number of newest tags of each app to keep, in addition to tags in use. 0 keeps all tags.',
      kind: 'number',
      usual: '50',
      whenLess: 'The next collection deletes older unused tags.',
    },
    {
      path: 'registry.deleted_days',
      label: 'Images of deleted apps',
      hint: 'Retention of the pushed images of deleted apps.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: GONE,
    },
    {
      path: 'registry.push_minutes',
      label: 'Recent pushes',
      hint: 'A collection does not remove images that were pushed within this time.',
      kind: 'number',
      unit: 'minutes',
      usual: '10',
    },
    {
      path: 'registry.collect_cron',
      label: 'Collection',
      hint: 'Cron expression with minute and hour, then “* * *”. Separate several values with commas.',
      kind: 'text',
      usual: '30 3 * * *',
    },
    {
      path: 'registry.time_zone',
      label: 'Time zone',
      hint: 'Time zone of the collection times.',
      kind: 'text',
      usual: 'UTC',
    },
  ],
};
