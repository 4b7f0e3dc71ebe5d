"""Prints what OpenUSD's validators say against USD files, a line each: checked.py FILE…"""

import sys

from pxr import Usd, UsdUtils, UsdValidation

registry = UsdValidation.ValidationRegistry()
validators = registry.GetOrLoadAllValidators()
context = UsdValidation.ValidationContext(validators)
for file in sys.argv[1:]:
    name = file.rsplit("/", 1)[-1]
    checker = UsdUtils.ComplianceChecker(arkit=file.endswith(".usdz"), skipVariants=False)
    checker.CheckCompliance(file)
    for message in checker.GetErrors() + checker.GetFailedChecks() + checker.GetWarnings():
        print(f"{name}: {message}")
    for error in context.Validate(Usd.Stage.Open(file)):
        print(f"{name}: {error.GetName()}: {error.GetMessage()}")
