// The page of a subscription in Spanish.
import type { SubscriptionPageTexts } from './texts.ts';

export const es: SubscriptionPageTexts = {
  title: 'Su suscripción en {shop}',
  active: 'Activa',
  needsCard: 'Su banco ya no acepta esta tarjeta para ella. La tienda tiene que pedirle otra.',
  agreedHeading: 'Lo que aceptó',
  howOften: 'Con qué frecuencia',
  amount: 'Importe',
  until: 'Hasta el',
  endedOn: 'Terminada el',
  card: 'Tarjeta',
  agreedOn: 'Aceptada el',
  nextCharge: 'Próximo cargo, como pronto',
  chargesHeading: 'Cargos hasta ahora',
  noCharges: 'No se ha cobrado nada desde que aceptó.',
  paid: 'Pagado en la compra',
  reserved: 'Reservado en la compra',
  charged: 'Cobrado',
  pending: 'En curso',
  declined: 'Rechazado',
  refunded: '{amount} devueltos',
  older: 'Los cargos anteriores no se muestran.',
  end: 'Terminar la suscripción',
  confirm: {
    title: '¿Terminar su suscripción en {shop}?',
    text: '{shop} ya no podrá cobrarla a su tarjeta. Un cargo que está en curso todavía se completa. No se puede deshacer: tendría que suscribirse de nuevo.',
  },
  keep: 'Mantenerla',
  ended: {
    title: 'Su suscripción ha terminado',
    text: 'La terminó usted el {date}. {shop} ya no puede cobrarla a su tarjeta.',
  },
  endedByShop: {
    title: 'Su suscripción ha terminado',
    text: '{shop} la terminó el {date} y ya no puede cobrarla a su tarjeta.',
  },
  expired: {
    title: 'Su suscripción ha vencido',
    text: 'Duró hasta el {date}. {shop} ya no puede cobrarla a su tarjeta.',
  },
  see: 'Ver o terminar su suscripción',
  notFound: {
    title: 'No encontramos esta suscripción',
    text: 'Puede que el enlace esté incompleto. Ábralo tal como se lo dieron o vuelva a pedírselo a la tienda.',
  },
  tooMany: {
    title: 'Demasiadas visitas a la vez',
    text: 'Espere unos segundos e inténtelo de nuevo.',
  },
};
