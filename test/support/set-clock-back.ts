// Loaded into a service before its program: its clock is set back by ten minutes as soon as it gets SIGUSR2.
const BACK_MS = 600_000;
const { now } = Date;

process.once('SIGUSR2', () => {
  Date.now = () => now() - BACK_MS;
});
