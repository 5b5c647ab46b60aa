// The page of a subscription in Spanish.
import type { SubscriptionPageTexts } from './texts.ts';

export const es: SubscriptionPageTexts = {
  title: 'Tu suscripción en {shop}',
  active: 'Activa',
  needsCard: 'Tu banco ya no acepta esta tarjeta para ella. La tienda tiene que pedirte otra.',
  agreedHeading: 'Lo que aceptaste',
  howOften: 'Con qué frecuencia',
  amount: 'Importe',
  until: 'Hasta el',
  card: 'Tarjeta',
  agreedOn: 'Aceptada el',
  nextCharge: 'Próximo cargo, como pronto',
  chargesHeading: 'Cargos hasta ahora',
  noCharges: 'No se ha cobrado nada desde que aceptaste.',
  charged: 'Cobrado',
  pending: 'En curso',
  declined: 'Rechazado',
  refunded: '{amount} devueltos',
  older: 'Los cargos anteriores no se muestran.',
  end: 'Terminar la suscripción',
  confirm: {
    title: '¿Terminar tu suscripción en {shop}?',
    text: '{shop} ya no podrá cobrarla a tu tarjeta. Un cargo que está en curso todavía se completa. No se puede deshacer: tendrías que suscribirte de nuevo.',
  },
  keep: 'Mantenerla',
  ended: {
    title: 'Tu suscripción ha terminado',
    text: 'La terminaste el {date}. {shop} ya no puede cobrarla a tu tarjeta.',
  },
  endedByShop: {
    title: 'Tu suscripción ha terminado',
    text: '{shop} la terminó el {date} y ya no puede cobrarla a tu tarjeta.',
  },
  expired: {
    title: 'Tu suscripción ha vencido',
    text: 'Duró hasta el {date}. {shop} ya no puede cobrarla a tu tarjeta.',
  },
  see: 'Ver o terminar tu suscripción',
  notFound: {
    title: 'No encontramos esta suscripción',
    text: 'Puede que el enlace esté incompleto. Ábrelo tal como te lo dieron o vuelve a pedírselo a la tienda.',
  },
};
