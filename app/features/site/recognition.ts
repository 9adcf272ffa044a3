import type { Site } from './site.ts';

/** What a buyer must not take a course for: it leads to nothing that the law on vocational training knows. */
export const recognitionOf = ({ name }: Pick<Site, 'name'>): string =>
  `${name} is not a registered training organisation (RTO), and its courses are not nationally recognised training.`;
