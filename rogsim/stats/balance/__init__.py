"""Everything that a balance report computes from one folder of results."""

from rogsim.stats.balance.measure import Balance as Balance
from rogsim.stats.balance.measure import PlayersBalance as PlayersBalance
from rogsim.stats.balance.measure import balance as balance
