/** Why Choose Bowerbird: the specification's six headings, each with its explanation. */
export const reasons = [
  {
    title: 'Industry-Standard Curriculum',
    icon: 'scroll',
    text: 'Courses for an outside exam follow its outline, in the version the page names.',
  },
  {
    title: 'Expert Instructors',
    icon: 'crown',
    text: 'More than ten years of work or teaching in the field each, and a name on every course.',
  },
  {
    title: 'Recognized Certifications',
    icon: 'shield',
    text: 'From Security+ to CISSP: what employers in Australia ask for by name.',
  },
  {
    title: 'Flexible Learning',
    icon: 'compass',
    text: 'Live online, in Brisbane, Sydney or Melbourne, with the local time zone on every date.',
  },
  {
    title: 'Global Community',
    icon: 'network',
    text: 'Taught live online as well as in three cities, so the person you practise with may be anywhere.',
  },
  {
    title: 'Hands-On Labs',
    icon: 'terminal',
    text: 'Alerts, networks and clouds to break and fix. Each syllabus says what you will have done by the end.',
  },
];
