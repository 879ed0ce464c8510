/** Settings of the retention and limits of images and volumes on the disk. */
import type { SettingSection } from './section.ts';

const GONE = 'What is beyond it is removed, and cannot be brought back.';

export const IMAGES: SettingSection = {
  value: 'images',
  label: 'Images and disk',
  title: 'Images, disk and volumes',
  description: 'How much of the disk is kept for what may be needed again.',
  fields: [
    {
      path: 'images.keep',
      label: 'Releases with an image',
      hint: 'How many releases of an app keep their image, besides the live one: so far a rollback goes back.',
      kind: 'number',
      usual: '10',
      whenLess: 'Older releases lose their image with the next clean-up, and cannot be rolled back to without a pull.',
    },
    {
      path: 'images.forget_pulled',
      label: 'Forget pulled names',
      hint: 'The names under which images were pulled go with them; without, they stay on the disk.',
      kind: 'check',
      usual: 'true',
    },
    {
      path: 'disk.warn_percent',
      label: 'Warn from',
      hint: 'From this use of the disk on the instance warns.',
      kind: 'number',
      unit: '%',
      usual: '80',
    },
    {
      path: 'disk.refuse_percent',
      label: 'Refuse from',
      hint: 'From this use on no new release is deployed. What runs goes on.',
      kind: 'number',
      unit: '%',
      usual: '95',
    },
    {
      path: 'volumes.trash_days',
      label: 'Deleted volumes',
      hint: 'How long a deleted volume can be brought back.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: 'Volumes that were deleted longer ago are removed with their data, and cannot be brought back.',
    },
    {
      path: 'databases.trash_days',
      label: 'Trash of databases',
      hint: 'How long a deleted database can be brought back with its data.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: 'What has been there longer is gone for good at once.',
    },
  ],
};

export const REGISTRY: SettingSection = {
  value: 'registry',
  label: 'Registry',
  title: 'The registry that apps are pushed to',
  description: 'What is kept of pushes, and when what nothing needs is removed.',
  fields: [
    {
      path: 'registry.keep_tags',
      label: 'Tags of an app',
      hint: 'How many of the newest are kept, besides those that are needed. 0: all.',
      kind: 'number',
      usual: '50',
      whenLess: 'Older tags that nothing needs are removed by the next collection.',
    },
    {
      path: 'registry.deleted_days',
      label: 'Releases of deleted apps',
      hint: 'How long they are kept.',
      kind: 'number',
      unit: 'days',
      usual: '7',
      whenLess: GONE,
    },
    {
      path: 'registry.push_minutes',
      label: 'Fresh pushes',
      hint: 'What was pushed, or begun to be, so recently is left alone by a collection.',
      kind: 'number',
      unit: 'minutes',
      usual: '10',
    },
    {
      path: 'registry.collect_cron',
      label: 'Collection',
      hint: 'Minute and hour of each day, each a number or several with commas, then “* * *”.',
      kind: 'text',
      usual: '30 3 * * *',
    },
    {
      path: 'registry.time_zone',
      label: 'Time zone',
      hint: 'By which the collection is timed.',
      kind: 'text',
      usual: 'UTC',
    },
  ],
};
