import type { Site } from './site.ts';

/** The notice that a course is not nationally recognised training. */
export const recognitionOf = ({ name }: Pick<Site, 'name'>): string =>
  `${name} is not a registered training organisation (RTO), and its courses are not nationally recognised training.`;
