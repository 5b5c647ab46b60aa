// Signing in, by whatever way, and what is told when that cannot be, in English, which says what texts there are.

export const en = {
  signIn: 'Sign in',
  asEmail: 'As {email}',
  usedUp: 'This link is used up',
  usedUpText:
    'A link lets somebody in once, and for some days. Ask for another one; whoever runs this Kassa makes it with',
  linkWaits: 'This link is not approved yet',
  linkWaitsText:
    'It is for somebody who can sign in already, so another admin has to approve it on the page Team. Open it again after that.',
  anotherWay: 'Sign in another way',
  elsewhere: 'Passkeys work at {link}, not at this address.',
  code: 'Code',
  codeHint: 'Six digits of your authenticator app, or a recovery code.',
  email: 'E-mail',
  password: 'Password',
  withPassword: 'Sign in with password',
  withCompany: 'Sign in with your company',
  withPasskey: 'Sign in with a passkey',
  noWay: 'No way in yet, or lost it',
  noWayText: 'Open the link that you were given. Whoever runs this Kassa makes one with',
  inTerminal:
    'Open the link “Console” that the terminal shows in which Kassa was started. If it is used up, start Kassa again, or make another one with',
  byCommand: 'Nobody has another way in yet than a link. Make one with',
  notSignedIn: 'Not signed in',
  tryAgain: 'Try again',
  stillYou: 'Is it still you?',
  proofNeeded: 'What you want to do asks for a proof of the last ten minutes.',
  proofNeededAt: 'What you want to do on the page “{page}” asks for a proof of the last ten minutes.',
  doAgain:
    'Nothing is done yet. Afterwards you are back on that page: do it once more, and type again what you had typed.',
  formIsKept: 'What you entered is kept, and is sent as soon as you have confirmed.',
  proved: 'Confirmed',
  onItsWay: 'What you entered is being sent.',
  sendOn: 'Send it',
  linkLeadsBack: 'Open it in this browser, and it leads you back to where you were.',
  usePasskey: 'Use a passkey',
  useCode: 'Use this code',
  companyAgain: 'Sign in again with your company',
  proofByLink: 'Sign in anew with a link, which is a proof. Whoever runs this Kassa makes it with',
  problems: {
    locked:
      'Ten attempts have failed. Passwords and codes of this account are not accepted until {time}. A passkey still works, and an admin can unlock the account.',
    wrong: 'That did not match. Each code works once: wait for the next one.',
    wait: {
      one: 'Too many tries. Come back in a minute, or use a passkey or a link.',
      other: 'Too many tries. Come back in {count} minutes, or use a passkey or a link.',
    },
    busy: 'Many people are signing in. Try again in a moment.',
  },
  company: {
    unverified: 'Your company’s sign-in gave no e-mail address that it has verified.',
    stale: 'Your company’s sign-in did not ask who you are. Sign out there, and try again.',
    busy: 'Many people are signing in. Try again in a moment.',
    failed: 'Your company’s sign-in did not work. Try again; whoever runs this Kassa finds the reason in its log.',
    away: 'Your company’s sign-in cannot be reached. Try again in a moment.',
    untrusted:
      'The answer of your company’s sign-in is not signed by one of its keys, so it was not accepted. Try again; whoever runs this Kassa finds the reason in its log.',
    keyless:
      'The keys of your company’s sign-in cannot be fetched, so its answer cannot be checked. Try again in a moment.',
    late: 'This took too long, or began in another browser. Try again.',
    unknown: 'Nobody is known here as {email}. Ask an admin to invite you.',
  },
  passkey: {
    wrong: 'That passkey is not known here.',
    notAdded: 'It was not added: it is known already, took too long, or you have twenty.',
    noSite: 'Passkeys need an address with a name: an IP address can have none.',
    failed: 'That did not work. Try again.',
    known: 'This device has a passkey for you already.',
    notUsed: 'No passkey was used. Try again when you are ready.',
  },
  secondFactor: {
    title: 'Set up a second factor',
    needed: '{merchant} requires a second factor. Add a passkey, or a password with an authenticator app.',
    nothingElse: 'Until then, nothing else opens here.',
    hasOne: 'You have a passkey or an authenticator app already.',
    useIt: 'Use it',
    byCompany: 'A link alone is no second factor. Sign in with your company.',
    first: 'Set up a second factor first.',
  },
  proofFirst: 'Show that it is you first: your last proof is more than ten minutes ago.',
  signInFirst: 'Sign in first.',
} as const;
